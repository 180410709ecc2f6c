print("dispatcher")
