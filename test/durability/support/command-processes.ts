import { setTimeout as pause } from 'node:timers/promises';
import { CommandDesk, type Place } from './command-process';
import type { Running } from './running';

/** Desks for the tests of one suite: a short command spends most of its time loading, so all folders share them. */
const desks: CommandDesk[] = [];
/** Far longer than a worker without work needs to leave. */
const PATIENCE_MS = 10_000;
let asking: CommandDesk | undefined;

afterAll(async () => {
  await Promise.all(desks.splice(0).map((desk) => desk.close()));
});

/** A command at the desk that runs one after the other. */
export function askAtDesk(argv: readonly string[], place: Place): AtDesk {
  if (asking === undefined || asking.ended) asking = newDesk(place);
  return startAt(asking, argv, place);
}

/** A command that runs while others are asked: at a desk at which nothing else is asked. */
export function followAtDesk(argv: readonly string[], place: Place): AtDesk {
  return startAt(desks.find((desk) => desk !== asking && desk.idle) ?? newDesk(place), argv, place);
}

export interface AtDesk {
  command: Running;
  /** A command that has not ended gets a Ctrl-C; if that does not end it, it ends with its desk. */
  destroy(): Promise<void>;
}

function startAt(desk: CommandDesk, argv: readonly string[], place: Place): AtDesk {
  const command = desk.start(argv, place);
  return {
    command,
    async destroy() {
      if (command.ended) return;
      command.interrupt();
      if (!(await Promise.race([hasLeft(command), patience()]))) await desk.close();
    },
  };
}

const hasLeft = (command: Running): Promise<boolean> =>
  command.finished.then(
    () => true,
    () => true,
  );

async function patience(): Promise<false> {
  await pause(PATIENCE_MS, undefined, { ref: false });
  return false;
}

function newDesk({ env }: Place): CommandDesk {
  const desk = new CommandDesk(env);
  desks.push(desk);
  return desk;
}
