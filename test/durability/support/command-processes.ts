import { setTimeout as pause } from 'node:timers/promises';
import { CommandDesk, type Place } from './command-process';
import type { Running } from './running';

/** Desks of the tests of one suite: most of what a short command takes is the time to load, so all its folders share them. */
const desks: CommandDesk[] = [];
/** Far more than a worker with nothing in hand needs to leave. */
const PATIENCE_MS = 10_000;
let asking: CommandDesk | undefined;

afterAll(async () => {
  await Promise.all(desks.splice(0).map((desk) => desk.close()));
});

/** A command at the desk that answers one after the other. */
export function askAtDesk(argv: readonly string[], place: Place): AtDesk {
  if (asking === undefined || asking.ended) asking = newDesk(place);
  return startAt(asking, argv, place);
}

/** A command that others are asked beside: at a desk at which nothing else is asked. */
export function followAtDesk(argv: readonly string[], place: Place): AtDesk {
  return startAt(desks.find((desk) => desk !== asking && desk.idle) ?? newDesk(place), argv, place);
}

export interface AtDesk {
  command: Running;
  /** Where it has not ended, it gets a Ctrl-C; what does not leave then ends with its desk. */
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
