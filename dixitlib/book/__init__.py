"""The notebooks as a site: laid out, made by Sphinx, readable without any network."""
