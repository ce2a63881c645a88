import { CommandDesk, type Place } from './command-desk';
import type { Running } from './running';

/** Desks of the tests of one suite: most of what a short command takes is the time to load, so all its folders share them. */
const desks: CommandDesk[] = [];
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
  /** Where it has not ended, ends it, and its desk with it. */
  destroy(): Promise<void>;
}

function startAt(desk: CommandDesk, argv: readonly string[], place: Place): AtDesk {
  const command = desk.start(argv, place);
  return {
    command,
    async destroy() {
      if (!command.ended) await desk.close();
    },
  };
}

function newDesk({ env }: Place): CommandDesk {
  const desk = new CommandDesk(env);
  desks.push(desk);
  return desk;
}
