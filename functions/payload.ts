/**
 * What fits through API Gateway and Lambda. A body travels as a text inside the JSON of Lambda's event or answer: each
 * quote and backslash of it is escaped once more there, and counts twice.
 */

/** Bytes of a request's body as they stand in the event. Lambda takes 6,291,456 for all of it, headers and path included. */
export const MAX_BODY_BYTES = 5_000_000;

/** Bytes of an answer's body as they stand in Lambda's answer. Lambda takes 6,291,556 for all of it. */
export const MAX_ANSWER_BYTES = 6_000_000;

const encoder = new TextEncoder();

/** @returns the bytes of a text within a JSON string, without the quotes around it. Sizes of parts add up. */
export function escapedBytes(text: string): number {
  return encoder.encode(JSON.stringify(text)).length - 2;
}

/** Decides what of a list an answer holds: whatever is asked in turn, until the room is used up. */
export interface AnswerRoom {
  /** @returns whether the value fits beside what was taken so far; if so, it is taken. The first always fits. */
  readonly take: (value: object) => boolean;
  /** Whether a value was refused. */
  readonly isFull: () => boolean;
}

/** Of an answer's own fields around its list: a page token has at most 8,000 characters. */
const FRAME_BYTES = 10_000;

/** @returns the room of one answer. @param bytes of its body, as they stand in Lambda's answer */
export function answerRoom(bytes = MAX_ANSWER_BYTES): AnswerRoom {
  let left = bytes - FRAME_BYTES;
  let isEmpty = true;
  let isFull = false;
  return {
    take(value) {
      const own = escapedBytes(JSON.stringify(value)) + 1;
      if (!isEmpty && own > left) {
        isFull = true;
        return false;
      }
      isEmpty = false;
      left -= own;
      return true;
    },
    isFull: () => isFull,
  };
}
