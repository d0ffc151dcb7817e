import { useEffect, useState } from 'preact/hooks';
import { duration } from '../model/format.js';
import { replaySteps } from '../model/request-replay.js';
import type { RequestItem } from '../model/requests.js';

const stepMs = 900;

/** The step of a request that is shown; undefined shows all of it. */
export function useReplay(request: RequestItem | undefined) {
  const id = request?.id;
  // Each state belongs to one request: another one is shown from its end.
  const [shown, setShown] = useState<{ readonly id: string | undefined; readonly step: number } | undefined>(
    undefined,
  );
  const [played, setPlayed] = useState<string | undefined>(undefined);
  const step = shown !== undefined && shown.id === id ? shown.step : undefined;
  const isPlaying = played !== undefined && played === id;
  const setStep = (to: number): void => setShown({ id, step: to });
  const setPlaying = (on: boolean): void => setPlayed(on ? id : undefined);
  const last = request === undefined ? 0 : replaySteps(request).length - 1;
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setTimeout(() => {
      if ((step ?? -1) >= last) setPlaying(false);
      else setStep((step ?? -1) + 1);
    }, stepMs);
    return () => clearTimeout(timer);
  }, [isPlaying, step, last, id]);
  return { step, setStep, isPlaying, setPlaying };
}

/** Plays a request state by state, in the chart and in the sequence. */
export function ReplayBar({
  request,
  replay: { step, setStep, isPlaying, setPlaying },
}: {
  readonly request: RequestItem;
  readonly replay: ReturnType<typeof useReplay>;
}) {
  const steps = replaySteps(request);
  if (steps.length < 2) return null;
  const last = steps.length - 1;
  const at = step ?? last;
  const move = (label: string, to: number, sign: string) => (
    <button
      type="button"
      class="plain icon"
      aria-label={label}
      title={label}
      disabled={to < 0 || to > last}
      onClick={() => {
        setPlaying(false);
        setStep(to);
      }}
    >
      {sign}
    </button>
  );
  const play = () => {
    if (!isPlaying && at >= last) setStep(0);
    setPlaying(!isPlaying);
  };
  return (
    <div class="travel-bar replay" role="group" aria-label="Replay">
      {move('Previous state', at - 1, '←')}
      <button type="button" class="plain" aria-pressed={isPlaying} onClick={play}>
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      {move('Next state', at + 1, '→')}
      <output aria-live="polite">
        {`${at + 1} of ${steps.length}: ${steps[at]?.state ?? ''} after ${duration(steps[at]?.atMs)}`}
      </output>
    </div>
  );
}
