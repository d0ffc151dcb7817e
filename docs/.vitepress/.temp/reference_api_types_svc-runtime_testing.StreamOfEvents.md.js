import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: StreamOfEvents","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime_testing.StreamOfEvents.md","filePath":"reference/api/types/svc-runtime_testing.StreamOfEvents.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime_testing.StreamOfEvents.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-streamofevents" tabindex="-1">Type Alias: StreamOfEvents <a class="header-anchor" href="#type-alias-streamofevents" aria-label="Permalink to &quot;Type Alias: StreamOfEvents&quot;">​</a></h1><blockquote><p><strong>StreamOfEvents</strong> = readonly [<code>streamId</code>: <a href="./svc-runtime.Uuid"><code>Uuid</code></a>, <code>events</code>: <a href="./../classes/svc-runtime.Event"><code>Event</code></a>[]]</p></blockquote><p>A stream and its events, oldest first.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime_testing.StreamOfEvents.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_testing_StreamOfEvents = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_testing_StreamOfEvents as default
};
