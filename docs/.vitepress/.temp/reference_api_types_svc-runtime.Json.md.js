import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: Json","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime.Json.md","filePath":"reference/api/types/svc-runtime.Json.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime.Json.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-json" tabindex="-1">Type Alias: Json <a class="header-anchor" href="#type-alias-json" aria-label="Permalink to &quot;Type Alias: Json&quot;">​</a></h1><blockquote><p><strong>Json</strong> = <code>null</code> | <code>boolean</code> | <code>number</code> | <code>string</code> | readonly <code>Json</code>[] | {[<code>name</code>: <code>string</code>]: <code>Json</code> | <code>undefined</code>; }</p></blockquote><p>Any JSON value.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime.Json.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_Json = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_Json as default
};
