"""What dbt gives to templates: relations, columns, the adapter, and functions; none of it reaches a database."""
