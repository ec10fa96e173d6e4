// A view for each country that we report on.
const countries = ["de", "jp"];

countries.forEach((country) => {
  publish(`customers_${country}`, { type: "view", schema: "reports" }).query(
    (ctx) => `
      SELECT customer_id, gross_paid - gross_returned AS kept
      FROM ${ctx.ref("customer_value")}
      WHERE country = "${country}"`
  );
});
