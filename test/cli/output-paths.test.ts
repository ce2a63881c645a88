import { outputPathsOf } from '../../cli/output-paths';
import type { GateView } from '../../plan/people/gate';
import type { RunView } from '../../plan/run/status';
import { memoryRecords } from '../../records/memory/memory-records';

test('a gate says where its outputs are, and how to see one that has no place to open', async () => {
  const records = memoryRecords();
  const artifact = await records.artifacts.put('one', { mediaType: 'text/plain', name: 'One.md' });
  await records.outputs.layOut(artifact, 'a run', { path: [{ id: 'kept' }], round: 1, try: 1 });
  const steps = ['kept', 'each[2]/ask'].map((address) => ({ id: address.replace(/.*\//, ''), address: `${address}#1~1`, artifact }));
  const view = { run: 'a run', steps } as unknown as RunView;
  const gate = { shown: ['kept', 'ask'].map((step) => ({ step, artifact })) } as unknown as GateView;
  expect(await outputPathsOf(records, view, gate)).toEqual(['memory:a run/kept#1~1/One.md', `thermidor show 'a run' 'each[2]/ask#1~1'`]);
});
