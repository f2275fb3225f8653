"""The games in the clothes of other libraries, each an optional extra.  May import play and all below it."""
