import { createHash } from 'node:crypto';
import type { Random } from '../functions/ports.ts';

/** @returns a random function that depends on the text alone (sfc32 over its SHA-256). */
export function seeded(text: string): Random {
  const digest = createHash('sha256').update(text).digest();
  let [a, b, c, d] = [0, 4, 8, 12].map((offset) => digest.readUInt32LE(offset)) as [number, number, number, number];
  return () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4_294_967_296;
  };
}
