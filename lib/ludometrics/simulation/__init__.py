"""Players whose skill is known, on whom every measure is tried before it is believed elsewhere."""
