import { describe, expectTypeOf, test } from 'vitest';
import {
  type Accepted,
  type Appliance,
  type ApplianceFailure,
  type AskedAppliance,
  areas,
  type CallOptions,
  type Categorization,
  type Category,
  type Session,
} from './index.ts';

describe('types follow from the declarations', () => {
  test('arguments from the path and its schemas, results from the readers', () => {
    expectTypeOf<Appliance['categories']['query']>().toEqualTypeOf<
      (given: { readonly domain: string }, options?: CallOptions) => Promise<Categorization>
    >();
    expectTypeOf<Appliance['categories']['list']>().toEqualTypeOf<
      (options?: CallOptions) => Promise<Category[]>
    >();
    expectTypeOf<Appliance['rdp']['listSessions']>().toEqualTypeOf<
      (options?: CallOptions) => Promise<Session[]>
    >();
    expectTypeOf<Appliance['rdp']['disconnectSession']>().toEqualTypeOf<
      (given: { readonly id: number }, options?: CallOptions) => Promise<Accepted>
    >();
  });

  test('whoever may only ask has the calls that read and no others, and every appliance can be handed to them', () => {
    expectTypeOf<Appliance>().toExtend<AskedAppliance>();
    expectTypeOf<keyof AskedAppliance['rdp']>().toEqualTypeOf<'listSessions'>();
    expectTypeOf<AskedAppliance['rdp']['listSessions']>().toEqualTypeOf<Appliance['rdp']['listSessions']>();
    expectTypeOf<AskedAppliance>().not.toHaveProperty('close');
    expectTypeOf(areas.rdp.disconnectSession.effect).toEqualTypeOf<'destructive'>();
  });

  test('the code of an error tells the compiler the rest', () => {
    const about = (error: ApplianceFailure) => (error.code === 'http_status' ? error.status : error.code);
    expectTypeOf(about).returns.toEqualTypeOf<number | Exclude<ApplianceFailure['code'], 'http_status'>>();
  });
});
