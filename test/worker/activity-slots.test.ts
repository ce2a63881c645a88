import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Options } from '../../cli/command';
import { loadConfiguration } from '../../cli/settings/configuration';
import { activitySlots } from '../../worker/activity-slots';
import { scratchFolder } from '../support/scratch-folder';

test('a worker takes a number of steps, or as many as its host bears, up to that number', () => {
  expect(activitySlots(7, undefined)).toEqual({ maxConcurrentActivityTaskExecutions: 7 });
  expect(activitySlots(7, { memory: 70 })).toEqual({
    tuner: expect.objectContaining({
      activityTaskSlotSupplier: expect.objectContaining({ type: 'resource-based', minimumSlots: 1, maximumSlots: 7 }),
    }),
  });
});

test('flags win over the file, each for itself, and have bounds', () => {
  const cwd = scratchFolder();
  const load = (given: Record<string, string>) =>
    loadConfiguration(new Options(given), { cwd, env: {}, home: cwd, platform: 'linux' }).load.value;
  expect(load({})).toBeUndefined();
  writeFileSync(join(cwd, 'thermidor.yaml'), 'load: {memory: 70}\n');
  expect([load({}), load({ maxCpu: '50' }), load({ maxMemory: '60' })]).toEqual([{ memory: 70 }, { memory: 70, cpu: 50 }, { memory: 60 }]);
  expect(() => load({ maxCpu: '101' })).toThrow('more than there is');
  expect(() => load({ maxCpu: '9' })).toThrow('--max-cpu must be a whole number from 10');
});
