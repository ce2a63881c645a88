import { eventLoopYielder } from '../../activities/tools/yield-event-loop';

test('long work lets others have their turn, short work goes on at once', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const breathe = eventLoopYielder();
  let others = 0;
  setImmediate(() => {
    others += 1;
  });
  await breathe();
  expect(others).toBe(0);
  now.mockReturnValue(25);
  await breathe();
  expect(others).toBe(1);
  now.mockRestore();
});
