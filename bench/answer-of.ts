import type { ChildProcess } from 'node:child_process';

/** The next message of a kind from a process of the bench. Never settles if the process ends first. */
export function answerOf<M extends { kind: string }, K extends M['kind']>(
  child: ChildProcess,
  isMessage: (value: unknown) => value is M,
  kind: K,
): Promise<Extract<M, { kind: K }>> {
  const isWanted = (message: M): message is Extract<M, { kind: K }> => message.kind === kind;
  return new Promise((resolve) => {
    const listen = (message: unknown): void => {
      if (!isMessage(message) || !isWanted(message)) return;
      child.off('message', listen);
      resolve(message);
    };
    child.on('message', listen);
  });
}
