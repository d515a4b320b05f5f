/** What chance seldom brings together, some seeds are made for: faults that are only seen where several things meet. */
import type { Fault } from '../format.ts';
import type { Dice } from './dice.ts';

/** `lost answers`: users clear every submit's first task again and again while the table's answers are lost. `two outages`: clean pokes in between. */
export type Focus = 'anything' | 'lost answers' | 'two outages';

/** @returns what a seed looks at: of twenty, eighteen look at anything. */
export function focusOf(seed: number): Focus {
  if (seed % 20 === 11) return 'lost answers';
  return seed % 20 === 16 ? 'two outages' : 'anything';
}

/** @returns faults that a focus has besides those of chance. */
export function faultsOf(focus: Focus, dice: Dice): readonly Fault[] {
  switch (focus) {
    case 'anything':
      return [];
    case 'lost answers':
      return [{ service: 'dynamodb', lost_answer: true, share: dice.pick([0.3, 0.6, 0.8]), from: 0, to: 500 }];
    case 'two outages':
      return (['s3', 'emr'] as const).flatMap((service) => {
        const error = service === 's3' ? 'InternalError' : 'InternalServerError';
        const first = dice.int(20, 90);
        const second = dice.int(320, 400);
        return [
          { service, error, from: first, to: first + dice.int(30, 70) },
          { service, error, from: second, to: second + dice.int(60, 150) },
        ];
      });
  }
}
