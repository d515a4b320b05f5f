/** The local emulator, or another tool in Python, cannot be had on this machine; the message says why and what to do about it. */
export class EmulatorUnavailable extends Error {
  override readonly name = 'EmulatorUnavailable';
}
