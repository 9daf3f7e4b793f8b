print("mooring")
