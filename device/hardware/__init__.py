"""What the appliance is made of: cameras, buttons, lamps and panels, each behind the interface of its simulated twin.

Everything here can be imported on any machine; what a Raspberry Pi alone has is imported when it is opened.
"""
