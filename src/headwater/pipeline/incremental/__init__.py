"""What a build reuses of the build before: the memo of what was computed, the changes, and the carry-over of unchanged files."""
