"""Reports for people: pages, workbooks, charts, win pages and data exports."""
