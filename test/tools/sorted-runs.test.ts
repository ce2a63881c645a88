import { inOrder } from '../../activities/adapters/work-folder/walk-folder';

test.each<[string[][], string[][]]>([
  [
    [['b', 'd', 'f'], ['a', 'e'], ['c']],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ],
  ],
  [
    [['a', 'a'], [], ['a']],
    [['a', 'a'], ['a']],
  ],
  [
    [
      ['é', '😀'],
      ['B', 'z', '\uffff'],
    ],
    [['B', 'z'], ['é', '😀'], ['\uffff']],
  ],
  [[[]], []],
])('%j together are %j', (runs, batches) => {
  expect([...inOrder(runs, 2)]).toEqual(batches);
});
