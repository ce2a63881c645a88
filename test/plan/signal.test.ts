import { readSignal, SIGNALS } from '../../plan/run/signal';

describe('a signal’s payload', () => {
  it.each([undefined, ''])('%p means nothing was given', (payload) => {
    expect(readSignal('approve', payload)).toEqual({});
  });

  it('may be a bare text if one makes sense', () => {
    expect(readSignal('approve', 'looks good')).toEqual({ comment: 'looks good' });
    expect(readSignal('pause', 'release')).toEqual({ reason: 'release' });
    expect(readSignal('message', 'hi')).toHaveProperty('problem');
  });

  it.each([42, true, [], { by: 7 }, { stpe: 'approve' }, { undecodable: true, encoding: 'binary/x', sizeBytes: 1 }])(
    '%j is refused with a reason',
    (payload) => {
      expect(readSignal('approve', payload)).toHaveProperty('problem');
    },
  );

  it.each(SIGNALS)('of %s is not JSON null', (name) => {
    expect(readSignal(name, null)).toEqual({ problem: expect.stringContaining('no payload at all') });
  });

  it('takes null for a key as absent, but for an answer, which it may be', () => {
    expect(readSignal('reject', { by: 'cfo', comment: null })).toEqual({ by: 'cfo' });
    expect(readSignal('respond', { by: 'cfo', response: null })).toEqual({ by: 'cfo', response: null });
  });
});
