import Foundation

let status = await Mooring.run(Array(CommandLine.arguments.dropFirst()))
exit(status)
