"""The reference: what everything is, gathered from the registry once (`content`), written as Markdown and as a page."""
