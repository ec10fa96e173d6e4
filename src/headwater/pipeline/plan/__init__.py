"""Which units there are, which needs which, and in which stage and task each is analysed. Ids only, in the driver."""
