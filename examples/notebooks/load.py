# Databricks notebook source
# MAGIC %md
# MAGIC # Load the orders of a day

# COMMAND ----------

# MAGIC %sql
# MAGIC CREATE TABLE IF NOT EXISTS stage.orders (order_id BIGINT, customer_id BIGINT, amount DECIMAL(10, 2), day DATE)

# COMMAND ----------

spark.sql(f"INSERT INTO stage.orders SELECT id, customer, amount, '{day}' FROM raw.orders_{suffix}")
