import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { AddedRecord, NewRecords } from './combined/acl.ts';
import { area, recordId } from './endpoint.ts';
import {
  type Accepted,
  type AclRecord,
  type Appliance,
  type ApplianceFailure,
  type ApplianceSettings,
  type AskedAppliance,
  areas,
  type Call,
  type CallOptions,
  type Categorization,
  type Category,
  type OperationName,
  type Session,
  type UploadContent,
  type UploadProgress,
} from './index.ts';
import { report } from './reading/reply-reader.ts';
import { form, multipart } from './wire/body.ts';

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

  test('an asked appliance has the calls that read and no others, and every appliance is one', () => {
    expectTypeOf<Appliance>().toExtend<AskedAppliance>();
    expectTypeOf<AskedAppliance['rdp']>().toHaveProperty('listSessions');
    expectTypeOf<AskedAppliance['rdp']>().not.toHaveProperty('disconnectSession');
    expectTypeOf<AskedAppliance['acl']>().toHaveProperty('searchRecords');
    expectTypeOf<AskedAppliance['acl']>().not.toHaveProperty('addRecords');
    expectTypeOf<AskedAppliance['rdp']['listSessions']>().toEqualTypeOf<Appliance['rdp']['listSessions']>();
    expectTypeOf<AskedAppliance>().not.toHaveProperty('close');
    expectTypeOf<AskedAppliance>().not.toHaveProperty('dryRun');
    expectTypeOf(areas.rdp.disconnectSession.effect).toEqualTypeOf<'destructive'>();
  });

  test('a call takes the declared slots, query and fields, and nothing else of an upload’s file', () => {
    const endpoint = area({ section: '§0' });
    const declared = endpoint('POST /things/{id}/{name}', {
      summary: '',
      effect: 'destructive',
      slots: { id: recordId },
      query: { limit: z.int().optional() },
      body: form('Things', 'Things.', {
        sites: z.array(z.string()).transform((all) => all.join(',')),
        note: z.string().optional(),
      }),
    });
    expectTypeOf<Parameters<Call<typeof declared>>[0]>().toEqualTypeOf<{
      readonly id: number;
      readonly name: string;
      readonly limit?: number | undefined;
      readonly sites: string[];
      readonly note?: string | undefined;
    }>();
    expectTypeOf<ReturnType<Call<typeof declared>>>().toEqualTypeOf<Promise<Accepted>>();
    expectTypeOf(declared.effect).toEqualTypeOf<'destructive'>();

    const upload = endpoint('POST /upload', {
      summary: '',
      effect: 'write',
      body: multipart('file', 'A file.'),
    });
    expectTypeOf<Parameters<Call<typeof upload>>[0]>().toEqualTypeOf<{
      readonly file: UploadContent;
      readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
    }>();

    const optional = endpoint('GET /some', {
      summary: '',
      effect: 'read',
      query: { limit: z.int().optional() },
      reply: report,
    });
    expectTypeOf<Parameters<Call<typeof optional>>[0]>().toEqualTypeOf<
      { readonly limit?: number | undefined } | undefined
    >();
  });

  test('a declaration has schemas for its own slots only, and a read needs a reply', () => {
    const endpoint = area({ section: '§0' });
    // @ts-expect-error: the path has no slot of this name
    endpoint('GET /things/{id}', { summary: '', effect: 'write', slots: { name: recordId } });
    // @ts-expect-error: a question without an answer
    endpoint('GET /things', { summary: '', effect: 'read' });
    // @ts-expect-error: no such method
    endpoint('PATCH /things', { summary: '', effect: 'write' });
  });

  test('only operations have a method to configure, by the names that calls have', () => {
    expectTypeOf<'acl.compile'>().toExtend<OperationName>();
    expectTypeOf<'acl.addRecords'>().not.toExtend<OperationName>();
    expectTypeOf<keyof NonNullable<ApplianceSettings['methods']>>().toEqualTypeOf<OperationName>();
  });

  test('a combined call has the type of a call', () => {
    expectTypeOf<Appliance['acl']['addRecords']>().toEqualTypeOf<
      (given: NewRecords, options?: CallOptions) => Promise<AddedRecord[]>
    >();
    expectTypeOf<AskedAppliance['acl']['searchRecords']>().returns.toEqualTypeOf<Promise<AclRecord[]>>();
  });

  test('the code of an error narrows its type', () => {
    const about = (error: ApplianceFailure) => (error.code === 'http_status' ? error.status : error.code);
    expectTypeOf(about).returns.toEqualTypeOf<number | Exclude<ApplianceFailure['code'], 'http_status'>>();
  });
});
