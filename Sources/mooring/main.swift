import Foundation
import HTTPServer

Allocator.configure()
let status = await Mooring.run(Array(CommandLine.arguments.dropFirst()))
exit(status)
