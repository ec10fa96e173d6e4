"""What a build reads: files, folders, query logs, captured jobs, events, projects and catalogs, as one DataFrame of scripts."""
