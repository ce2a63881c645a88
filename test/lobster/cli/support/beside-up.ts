import { Scratch } from '../../../durability/support/scratch';

/** A folder with `thermidor up` in it, for all files of the suite whose calls are made beside one: the first of them starts it. */
let started: Promise<Scratch> | undefined;

export function besideUp(): Promise<Scratch> {
  started ??= start();
  return started;
}

async function start(): Promise<Scratch> {
  const scratch = await Scratch.make();
  await scratch.follow('up').untilLine(/^Ctrl-C stops/);
  return scratch;
}

afterAll(async () => {
  await (await started)?.close();
  started = undefined;
});
