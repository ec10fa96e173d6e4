MODEL (
  name staging.countries,
  kind SEED (
    path '$root/seeds/countries.csv'
  ),
  columns (
    code TEXT,
    name TEXT,
    continent TEXT
  ),
  grain code
);
