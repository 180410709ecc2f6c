"""The campaign: for each fault load, strike, heal, drain, check. See scripts/fault-test --help."""
