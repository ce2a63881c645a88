import { createHash } from 'node:crypto';
import { packedJson } from '../../activities/stored/pack';
import { PACKED_PART_LIMIT_BYTES, PACKED_WITH_WORDS, PACKING_WORDS } from '../../plan/run/packed-part';
import { jsonText, parseJson } from '../../plan/text/json-text';
import { unpackedWhole } from '../../workflows/interpreter/state/unpack';

describe('what opens a run', () => {
  const sha256 = 'c0ffee'.repeat(11).slice(0, 64);
  const opened = {
    plan: {
      irVersion: 2,
      name: 'ten-steps',
      escalation: [{ kind: 'human' }],
      block: { order: 'sequence', steps: Array.from({ length: 10 }, (_, i) => ({ id: `s${i + 1}`, kind: 'command' })) },
    },
    planRef: { kind: 'plan', sha256, sizeBytes: 1234, mediaType: 'application/json', name: 'ten-steps.plan.json' },
    args: {},
    startedAt: '2026-11-23T08:00:00.000Z',
    searchAttributes: ['ThermidorPipeline', 'ThermidorOwner', 'ThermidorState', 'ThermidorWaitingFor'],
  };

  test('enters history packed, and a fifth of its length if it is small', async () => {
    const packed = await packedJson(opened);
    if (!(packed instanceof Uint8Array)) throw new Error('it is not packed');
    expect(packed[0]).toBe(PACKED_WITH_WORDS);
    expect(packed.length).toBeLessThan(JSON.stringify(opened).length / 4);
    expect(unpackedWhole(packed)).toEqual(opened);
  });

  test('has its args as they were written', async () => {
    const written = '{"args":{"version":1.10,"id":1234567890123456789}}';
    expect(jsonText(unpackedWhole((await packedJson(parseJson<object>(written))) as Uint8Array))).toBe(written);
  });

  test('stays as it is if a part cannot hold it', async () => {
    const noise = Array.from({ length: PACKED_PART_LIMIT_BYTES / 4 }, (_, i) => ((i * 2_654_435_761) % 4_294_967_296).toString(36));
    const large = { args: noise };
    expect(await packedJson(large)).toBe(large);
  });

  test('is read with words that never change', () => {
    expect(PACKING_WORDS).toMatch(/^[ -~]+$/);
    expect(createHash('sha256').update(PACKING_WORDS).digest('hex')).toBe(
      '8b5de62fb7066c2832c7efa4e6bf2328c5bd3aa7f0231d903515117cb9b0070a',
    );
  });
});

test('keeps numbers as they were written', async () => {
  const packed = await packedJson(parseJson<object>('{"args":{"price":1.10,"n":1e3}}'));
  if (!(packed instanceof Uint8Array)) throw new Error('it is not packed');
  expect(jsonText(unpackedWhole(packed))).toBe('{"args":{"price":1.10,"n":1e3}}');
});
