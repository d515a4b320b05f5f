import * as z from 'zod';
import { malformed } from './fault.ts';

const STATES = ['PENDING', 'CANCEL_PENDING', 'RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED', 'INTERRUPTED'] as const;

const StepConfig = z.object({
  Name: z.string(),
  ActionOnFailure: z.string().default('CONTINUE'),
  HadoopJarStep: z.object({ Jar: z.string().default(''), Args: z.array(z.string()).default([]) }),
});

/** What the stand-in reads of each operation's input; the rest is ignored. */
export const INPUTS = {
  RunJobFlow: z.object({
    Name: z.string(),
    Instances: z.object({ KeepJobFlowAliveWhenNoSteps: z.boolean().default(false) }),
    Steps: z.array(StepConfig).default([]),
  }),
  AddJobFlowSteps: z.object({ JobFlowId: z.string(), Steps: z.array(StepConfig).min(1) }),
  DescribeStep: z.object({ ClusterId: z.string(), StepId: z.string() }),
  ListSteps: z.object({
    ClusterId: z.string(),
    StepIds: z.array(z.string()).default([]),
    StepStates: z.array(z.enum(STATES)).default([]),
    Marker: z.string().optional(),
  }),
  DescribeCluster: z.object({ ClusterId: z.string() }),
  CancelSteps: z.object({ ClusterId: z.string(), StepIds: z.array(z.string()).min(1) }),
  TerminateJobFlows: z.object({ JobFlowIds: z.array(z.string()).min(1) }),
};

export type StepConfig = z.output<typeof StepConfig>;
export type Input<Name extends keyof typeof INPUTS> = z.output<(typeof INPUTS)[Name]>;

/** @throws EmrFault (ValidationException) that names the field. */
export function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw malformed(z.prettifyError(parsed.error));
  return parsed.data;
}
