"""OpenLineage, read: what events of other programs say, as jobs that a build takes beside SQL. Needs neither Spark nor OpenLineage's client."""
