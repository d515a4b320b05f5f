/** Lines of something that runs beside something else: kept back until that is over, so that neither cuts the other's. */
export interface LateLines {
  readonly line: (text: string) => void;
  /** Prints what was kept back, and from now on each line as it comes. */
  readonly release: () => void;
}

export function createLateLines(print: (text: string) => void): LateLines {
  let kept: string[] | undefined = [];
  return {
    line: (text) => (kept === undefined ? print(text) : void kept.push(text)),
    release() {
      for (const text of kept ?? []) print(text);
      kept = undefined;
    },
  };
}
