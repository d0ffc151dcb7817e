import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: PastEvent","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime_testing.PastEvent.md","filePath":"reference/api/interfaces/svc-runtime_testing.PastEvent.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime_testing.PastEvent.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-pastevent" tabindex="-1">Interface: PastEvent <a class="header-anchor" href="#interface-pastevent" aria-label="Permalink to &quot;Interface: PastEvent&quot;">​</a></h1><p>An event of the past with the time at which it happened.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="event" tabindex="-1">event <a class="header-anchor" href="#event" aria-label="Permalink to &quot;event&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>event</strong>: <a href="./../classes/svc-runtime.Event"><code>Event</code></a></p></blockquote><hr><h3 id="occurredat" tabindex="-1">occurredAt <a class="header-anchor" href="#occurredat" aria-label="Permalink to &quot;occurredAt&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>occurredAt</strong>: <a href="./../types/svc-runtime.Timestamp"><code>Timestamp</code></a></p></blockquote></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime_testing.PastEvent.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_testing_PastEvent = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_testing_PastEvent as default
};
