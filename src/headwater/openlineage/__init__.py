"""OpenLineage, read: events of other programs, as jobs that a build takes beside SQL. Needs neither Spark nor OpenLineage's client."""
