"""The search for the best plan: what plugins declare (`goals`) is asked, tried, calculated in columns and ranked."""
