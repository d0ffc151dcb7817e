import { signal } from '@preact/signals';
import { KeptText } from '../model/kept-text.js';
import { type SavedView, savedViewsIn, withView } from '../model/saved-views.js';
import { notice } from './dialog.js';
import { filters, setFilters } from './navigation.js';

const kept = new KeptText('svc-console-views', () => localStorage);
const views = signal<readonly SavedView[]>(savedViewsIn(kept.read()));

function keep(next: readonly SavedView[]): void {
  views.value = next;
  kept.keep(JSON.stringify(next));
}

/** Filters under a name, kept in this browser. */
export function SavedViews() {
  const isFiltered = Object.keys(filters.value).length > 0;
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const given = new FormData(form).get('name');
    const name = typeof given === 'string' ? given.trim() : '';
    if (name === '') return;
    keep(withView(views.value, { name, filters: filters.value }));
    notice.value = `Saved ${name}.`;
    form.reset();
  };
  if (!isFiltered && views.value.length === 0) return null;
  return (
    <div class="facets" role="group" aria-label="Saved views">
      {views.value.map((view) => (
        <span key={view.name} class="chip-pair">
          <button type="button" class="chip" onClick={() => setFilters(view.filters)}>
            {view.name}
          </button>
          <button
            type="button"
            class="chip"
            aria-label={`Remove view ${view.name}`}
            onClick={() => keep(views.value.filter((one) => one !== view))}
          >
            ×
          </button>
        </span>
      ))}
      {isFiltered && (
        <form onSubmit={save}>
          <input name="name" aria-label="Name of the view" placeholder="Name of the view" maxLength={40} />
          <button type="submit" class="plain">
            Save view
          </button>
        </form>
      )}
    </div>
  );
}
