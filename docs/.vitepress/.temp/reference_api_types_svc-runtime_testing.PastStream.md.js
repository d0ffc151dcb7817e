import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: PastStream","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime_testing.PastStream.md","filePath":"reference/api/types/svc-runtime_testing.PastStream.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime_testing.PastStream.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-paststream" tabindex="-1">Type Alias: PastStream <a class="header-anchor" href="#type-alias-paststream" aria-label="Permalink to &quot;Type Alias: PastStream&quot;">​</a></h1><blockquote><p><strong>PastStream</strong> = readonly [<code>streamId</code>: <a href="./svc-runtime.Uuid"><code>Uuid</code></a>, <code>events</code>: (<a href="./../classes/svc-runtime.Event"><code>Event</code></a> | <a href="./../interfaces/svc-runtime_testing.PastEvent"><code>PastEvent</code></a>)[]]</p></blockquote><p>A stream and what happened in it, oldest first; an event without a time happened just now.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime_testing.PastStream.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_testing_PastStream = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_testing_PastStream as default
};
