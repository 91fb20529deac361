"""What the control plane's operations share: definitions checked, throughput asked for and changed, descriptions."""
