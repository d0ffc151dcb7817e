import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: SystemEventStreams","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.SystemEventStreams.md","filePath":"reference/api/variables/svc-runtime.SystemEventStreams.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.SystemEventStreams.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-systemeventstreams" tabindex="-1">Variable: SystemEventStreams <a class="header-anchor" href="#variable-systemeventstreams" aria-label="Permalink to &quot;Variable: SystemEventStreams&quot;">​</a></h1><blockquote><p><code>const</code> <strong>SystemEventStreams</strong>: <code>Readonly</code>&lt;{ <code>name</code>: <code>&quot;$svc-system&quot;</code>; <code>prefix</code>: <code>&quot;$svc-&quot;</code>; <code>streamId</code>: <code>&quot;00000000-0000-0000-0000-000000000001&quot;</code>; }&gt;</p></blockquote><p>The stream that holds every system message of a store.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.SystemEventStreams.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_SystemEventStreams = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_SystemEventStreams as default
};
