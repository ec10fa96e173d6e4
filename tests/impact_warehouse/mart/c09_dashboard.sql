CREATE OR REPLACE VIEW mart.dashboard AS SELECT d.day, d.revenue, d.visits, a.n FROM mart.daily d CROSS JOIN mart.audit a;
