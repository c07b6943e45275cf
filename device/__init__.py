"""The appliance: app loop, adapters, simulated table, journal, settings and the sevenmat command."""
