// The same for those who require it.
import isobox = require('isobox');

export async function used(): Promise<string> {
  const sandbox: isobox.Sandbox = await isobox.Sandbox.create();
  return (await sandbox.exec(['true'])).stdout;
}
