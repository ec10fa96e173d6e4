def model(dbt, session):
    dbt.config(materialized="table")
    people = dbt.ref("stg_customers")
    return people.filter("id > 0").project("id, name || domain as label")
