import { Scratch } from '../../../durability/support/scratch';

/** The folder in which `thermidor up` runs. All files of the suite that need it share it, and the first of them starts it. */
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
