const VAT = 0.2;

function net(alias) {
  return `${alias}.amount - COALESCE(${alias}.discount, 0)`;
}

function gross(alias) {
  return `(${net(alias)}) * (1 + ${VAT})`;
}

const statuses = ["paid", "returned"];

module.exports = { net, gross, statuses };
